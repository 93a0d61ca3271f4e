package engine

import "context"

const (
	drawEdit = "file, frame, draw, edits"
	texts    = "files, time"
)

// ops is the table of requests.
var ops = []op{
	{"files", "", "Lists the files and what lists can be sorted by.", "files: name; protocol: its version; numbers of draws: name, head (of its column), order (its name in sorting); orders: numbers to sort by; sort and filter: texts; words: those of a shader's steps", (*Engine).opFiles, true},
	{"progress", "", "The progress of the current request; does not wait for it.", "done, total: replayed frames; total 0 if none are replayed", (*Engine).opProgress, true},
	{"open", "file", "Opens a file and describes it.", "file: name, frames, title, producer; notes: oddities", (*Engine).opOpen, false},
	{"fresh", "file", "Whether a file is still the one that was opened, which answers requests; open reads the new one.", "fresh: false if it was replaced", (*Engine).opFresh, true},
	{"registers", "", "The registers that hold state, with their fields and meanings.",
		"registers: number, name, doc, fields (name, low, bits, type, enum, expected: its values, doc)", (*Engine).opRegisters, true},
	{"frame", "file, frame, edits, background", "The events of a frame, in order.",
		"items: kind (list, load, fill, transfer, copy, draw, and at last end) with label, text, move (the number of a fill, transfer or copy), pass, inside (for events between draws of one pass), and of a draw: mark, name, shader, primitive, target, vertices, triangles, drawn (after culling and clipping), pixels, textures, us, left_out; passes: text, draws, pixels, us, shown (how a screen shows the target, which lies on its side: screen, line (the first), width and height on the screen, scale (columns and lines for one of the screen), flip), which transfers have too; warnings; error that ends the frame", (*Engine).opFrame, false},
	{"list", "file, frame, edits, filter, order", "The items of a frame that match a filter; only draws if sorted by a number.", "list: their indices in items", (*Engine).opList, true},
	{"textures", drawEdit + ", count, background", "Small pictures of the textures bound to count draws, from draw on.", "draws: the indices of their pictures, -1 for none; pictures: rgba8, one after another", (*Engine).opTextures, false},
	{"thumb", "file, frame, background", "A small picture of a frame.", "a picture, rgba8; name: which screen, or target", (*Engine).opThumb, false},
	{"draw", drawEdit, "The state of a draw.",
		"record, summary and combiners: rows as in history, changed: the changed pixels (x, y, width, height, bits: one for each, row by row, in base64), notes, registers (number, word, values of the fields, changed, texts with the old value), since and changes, uniforms, fixed_attributes, textures, tables, vertex_count, geometry_shader", ofDraw((*Engine).opDraw), false},
	{"step", "file, frame, move, edits", "The effect of a fill, a transfer or a copy (move: its number), or of the whole frame without move.",
		"rows, as in history; picture: whether there is one", (*Engine).opStep, false},
	{"changes", drawEdit + ", x, y", "The differences between the state of a draw and that of draw y of frame x.",
		"changes: what, before, after, fields", (*Engine).opChanges, false},
	{"picture", drawEdit + ", move, what", "A picture of a draw: its target after or before it, the pixels that it changed, the draw alone, depth, stencil, a view; or a screen, with draw -1 at the end of the frame. With move, the memory that a fill, a transfer or a copy wrote, or the screens after it.",
		"a picture: rgba8, of depth u32, of stencil and overdraw u8; top: the value of max if it differs; parts (name, x, y, width, height) of screens", (*Engine).opPicture, false},
	{"pixel", drawEdit + ", x, y", "One pixel of the target.", "before and after: color, depth, stencil", ofDraw((*Engine).opPixel), false},
	{"history", drawEdit + ", what, x, y, from, count", "The history of a pixel of the draw's target, or of the screen what, in its frame.",
		"target, via, about, total, events: draw (-1 for other events), outcome, before, after, row (label, text, color, from: its source, link, mark, rows), text: the same as text, record as explain --json has it", (*Engine).opHistory, false},
	{"texture", drawEdit + ", unit, face, level", "A texture that the draw has bound.", "a picture, rgba8", ofDraw((*Engine).opTexture), false},
	{"table", drawEdit + ", from", "Look-up table number from, in the order of a draw's tables.", "name, words, values (null for colours)", ofDraw((*Engine).opTable), false},
	{"vertices", drawEdit + ", what, from, count", "Input (in) or output (out) vertices of the shader.",
		"columns, rows, from, total, order: number submitted; error that ends the rows", ofDraw((*Engine).opVertices), false},
	{"mesh", drawEdit + ", what", "The draw's triangles, for a wireframe.",
		"vertices, triangles, note; bytes: positions (four float32 each), then triples of vertices (uint32)", ofDraw((*Engine).opMesh), false},
	{"program", drawEdit + ", what", "The program of a shader unit, vertex or geometry.",
		"entry, lines (pc, word, text, findings of the linter), source and source_error, assembled_from: source texts and, by instruction, text and line, if known; floats, ints, bools, runs", ofDraw((*Engine).opProgram), false},
	{"run", drawEdit + ", what, vertex, from, count", "Runs the vertex shader on a vertex, or the geometry shader for its run number vertex, with the result of every instruction.",
		"inputs, total, steps (pc, src, dst, value, a0, cmp, al, next, taken, calls, ifs, loops, emit: slot, primitive, winding, outputs; and as texts: where, result, cells of the value, rows, emitted, row of the emitted vertex), outputs, error; runs: number of geometry shader runs; begin: where it is before the first step; registers: their order; given: texts of the inputs", ofDraw((*Engine).opRun), false},
	{"corners", drawEdit + ", x, y", "The vertices of the triangle of the draw's last fragment at a pixel, or the geometry shader runs that emitted them.",
		"corners: vertex or run (-1 if made by clipping), x, y, weight, text; geometry", ofDraw((*Engine).opCorners), false},
	{"compare", drawEdit + ", what, other", "Compares a picture of a draw with that of another draw (other: file, frame, draw).",
		"a picture, rgba8: differences in red; different: pixels; largest: difference of a channel", (*Engine).opCompare, true},
	{"pairs", "file, frame, other", "Pairs the draws of two frames that draw the same kind of thing.",
		"pairs: draw, other (-1 for none), name, same; first different pair, -1 for none; different: their number", (*Engine).opPairs, true},
	{"sums", "file, frame", "Checksums of colour and depth of the target after each draw of a frame.", "sums, by draw", (*Engine).opSums, false},
	{"blame", "file, frame, what, data", "Compares a screenshot (data: a PNG file) with a screen of the frame, detected if what is empty, or with the target.",
		"a picture of the differences; report as in blame --json", (*Engine).opBlame, false},
	{"language", "files, name, what, x, y", "The language server's answer for a shader (name) among texts: completion, hover, semanticTokens, diagnostics or formatting, at line y and character x, both from 0; does not wait for other requests.",
		"found: as in the Language Server Protocol", (*Engine).opLanguage, true},
	{"scene", texts, "Draws a scene from texts, one of them scene.yaml. This and the following requests exist only in the playground's engine.",
		"a picture, rgba8, or none after an error; diagnostics (file, line, column, length, severity, text, expected, hint, rule), notes, title, about, time, length (of its animation), draws, us", (*Engine).opScene, true},
	{"make", texts + ", what", "Makes a file of a scene: zip (its files), png, gif (its animation), trace, shbin:SOURCE, model:FILE (the scene that shows a model).", "name; the file's bytes", (*Engine).opMake, true},
	{"record", texts, "Makes a scene file 0 for all other requests.", "frames, draws", (*Engine).opRecord, true},
}

// ofDraw makes the function of a request that is answered from an examined
// draw.
func ofDraw(run func(e *Engine, ctx context.Context, r *Request, s *shot) (*Answer, error)) func(*Engine, context.Context, *Request) (*Answer, error) {
	return func(e *Engine, ctx context.Context, r *Request) (*Answer, error) {
		s, err := e.shot(ctx, r)
		if err != nil {
			return nil, err
		}
		return run(e, ctx, r, s)
	}
}

// frame opens the file of a request and checks the frame.
func (e *Engine) frame(ctx context.Context, r *Request) (*file, error) {
	f, err := e.open(ctx, r.File)
	if err == nil {
		err = f.frame(r.Frame)
	}
	return f, err
}

// edited is frame, with the edits of the request applied until end is called.
func (e *Engine) edited(ctx context.Context, r *Request) (f *file, end func(), err error) {
	if f, err = e.frame(ctx, r); err == nil {
		end, err = f.edited(ctx, r.Edits, r.Frame)
	}
	return f, end, err
}
