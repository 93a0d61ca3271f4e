package engine

import "context"

const (
	placeEdit = "file, frame, draw, edits"
	texts     = "files, time"
)

// ops is the table of requests.
var ops = []op{
	{"files", "", "What there is to look into.", "files: name; protocol: its version; numbers of draws: name, head (of its column), order (what sorting by it is called); orders: those that lists can be sorted by; sort and filter: texts", (*Engine).opFiles, true},
	{"progress", "", "How far the request is that is worked on; it waits for none.", "done, total: frames that are replayed on the way to one; total 0 where none are", (*Engine).opProgress, true},
	{"open", "file", "Opens a file and says what it is.", "file: name, frames, title, producer; notes: what was odd in it", (*Engine).opOpen, false},
	{"fresh", "file", "Whether a file is still the one that was opened. Requests are answered from that; open takes the one that is there.", "fresh: false where it was replaced", (*Engine).opFresh, true},
	{"registers", "", "The registers that hold state, with their fields and what they mean.",
		"registers: number, name, doc, fields (name, low, bits, type, enum, expected: which values it takes, doc)", (*Engine).opRegisters, true},
	{"frame", "file, frame, edits, background", "What a frame does, in order.",
		"items: kind (list, load, fill, transfer, copy, draw, and at last end) with label, text, move (the number of a fill, transfer or copy), pass, inside (of what stands between draws of one pass), and of a draw: mark, name, shader, primitive, target, vertices, triangles, drawn (what culling and clipping left), pixels, textures, us, left_out; passes: text, draws, pixels, us; warnings; error with which the frame ends", (*Engine).opFrame, false},
	{"list", "file, frame, edits, filter, order", "The items of a frame that a filter leaves; sorted by a number the draws alone.", "list: their places in items", (*Engine).opList, true},
	{"textures", placeEdit + ", count, background", "Small pictures of the textures that count draws have bound, from one on.", "draws: the places of their pictures, -1 for none; pictures, rgba8, whose bytes follow each other", (*Engine).opTextures, false},
	{"thumb", "file, frame, background", "A small picture of a frame.", "a picture, rgba8; name: which screen, or target", (*Engine).opThumb, false},
	{"draw", placeEdit, "What a draw is given.",
		"record, summary and combiners: rows as in history, changed: the pixels that it changed (x, y, width, height, bits: one for each, row by row, in base64), notes, registers (number, word, values of the fields, changed, texts with what was), since and changes, uniforms, fixed_attributes, textures, tables, vertex_count, geometry_shader", ofDraw((*Engine).opDraw), false},
	{"step", "file, frame, move, edits", "What a fill, a transfer or a copy did (move: its number), or the whole frame without move.",
		"rows, as in history; picture: whether there is one of what it wrote", (*Engine).opStep, false},
	{"changes", placeEdit + ", x, y", "What differs between the state of a draw and that of another: draw y of frame x.",
		"changes: what, before, after, fields", (*Engine).opChanges, false},
	{"picture", placeEdit + ", move, what", "A picture of a draw: its target after or before it, what it added, it alone, depth, stencil, a view; or a screen, with draw -1 at the end of the frame. With move, what a fill, a transfer or a copy left where it writes, or the screens after it.",
		"a picture: rgba8, of depth u32, of stencil and overdraw u8; top: what max stands for where it is another; parts (name, x, y, width, height) of screens", (*Engine).opPicture, false},
	{"pixel", placeEdit + ", x, y", "One pixel of the target.", "before and after: color, depth, stencil", ofDraw((*Engine).opPixel), false},
	{"history", placeEdit + ", what, x, y, from, count", "What touched a pixel of the draw's target, or of the screen what, in its frame.",
		"target, via, about, total, events: draw (-1 for what is none), outcome, before, after, row (label, text, color, from: what that was, link, mark, rows), text: the same as text, record as explain --json has it", (*Engine).opHistory, false},
	{"texture", placeEdit + ", unit, face, level", "A texture that the draw has bound.", "a picture, rgba8", ofDraw((*Engine).opTexture), false},
	{"table", placeEdit + ", from", "Look-up table number from, in the order of a draw's tables.", "name, words, values (null for colours)", ofDraw((*Engine).opTable), false},
	{"vertices", placeEdit + ", what, from, count", "Vertices as the shader is given them (in) or returns them (out).",
		"columns, rows, from, total, order: how many are submitted; error that ends the rows", ofDraw((*Engine).opVertices), false},
	{"mesh", placeEdit + ", what", "The draw's triangles, for a wireframe.",
		"vertices, triangles, note; bytes: positions (four float32 each), then triples of vertices (uint32)", ofDraw((*Engine).opMesh), false},
	{"program", placeEdit + ", what", "The program of a shader unit, vertex or geometry.",
		"entry, lines (pc, word, text, findings of the linter), source and source_error, assembled_from: texts and, by instruction, text and line, where the sources are known; floats, ints, bools, runs", ofDraw((*Engine).opProgram), false},
	{"run", placeEdit + ", what, vertex, from, count", "Runs the vertex shader on a vertex, or the geometry shader in its run number vertex, with the values of every instruction.",
		"inputs, total, steps (pc, src, dst, value, a0, cmp, al, next, taken, calls, ifs, loops, emit: slot, primitive, winding, outputs), outputs, error; of the geometry shader runs: how many there are", ofDraw((*Engine).opRun), false},
	{"corners", placeEdit + ", x, y", "Which vertices the last fragment of the draw at a pixel lies between; of a geometry shader, which runs emitted them.",
		"corners: vertex or run (-1 where clipping made it), x, y, weight; geometry", ofDraw((*Engine).opCorners), false},
	{"compare", placeEdit + ", what, other", "Where a picture of a draw differs from that of another draw, of another file perhaps (other: file, frame, draw).",
		"a picture, rgba8: what differs in red; different: pixels; largest: difference of a channel", (*Engine).opCompare, true},
	{"pairs", "file, frame, other", "The draws of two frames side by side: those that draw the same kind of thing belong together.",
		"pairs: draw, other (-1 for none), name, same; first that is not the same, -1 for none; different: how many", (*Engine).opPairs, true},
	{"sums", "file, frame", "What the target holds after each draw of a frame, as sums of colours and depth.", "sums, by draw", (*Engine).opSums, false},
	{"blame", "file, frame, what, data", "Compares a screenshot (data: a PNG file) with a screen of the frame, which is found out without what, or with the target.",
		"a picture of what differs; report as blame --json has it", (*Engine).opBlame, false},
	{"language", "files, name, what, x, y", "What the language server says of a shader (name) among texts: completion, hover, semanticTokens or diagnostics, at line y and character x, both from 0; it waits for none.",
		"found: as the Language Server Protocol has it", (*Engine).opLanguage, true},
	{"scene", texts, "Draws a scene from texts, one of them scene.yaml. Only the playground's engine does, also what follows.",
		"a picture, rgba8, or none after an error; diagnostics (file, line, column, length, severity, text, expected, hint, rule), notes, title, about, time, length (of its animation), draws, us", (*Engine).opScene, true},
	{"make", texts + ", what", "Makes a file of a scene: zip (its files), png, gif (its animation), trace, shbin:SOURCE, model:FILE (the scene that shows a model).", "name; the file's bytes", (*Engine).opMake, true},
	{"record", texts, "Makes a scene file 0, for all other requests.", "frames, draws", (*Engine).opRecord, true},
}

// ofDraw is a request that is answered from what was taken of a draw.
func ofDraw(run func(e *Engine, ctx context.Context, r *Request, s *shot) (*Answer, error)) func(*Engine, context.Context, *Request) (*Answer, error) {
	return func(e *Engine, ctx context.Context, r *Request) (*Answer, error) {
		s, err := e.shot(ctx, r)
		if err != nil {
			return nil, err
		}
		return run(e, ctx, r, s)
	}
}

// frame opens the file of a request and checks that it has the frame.
func (e *Engine) frame(ctx context.Context, r *Request) (*file, error) {
	f, err := e.open(ctx, r.File)
	if err == nil {
		err = f.frame(r.Frame)
	}
	return f, err
}

// edited is frame, with the edits of the request in force until end is called.
func (e *Engine) edited(ctx context.Context, r *Request) (f *file, end func(), err error) {
	if f, err = e.frame(ctx, r); err == nil {
		end, err = f.edited(ctx, r.Edits, r.Frame)
	}
	return f, end, err
}
