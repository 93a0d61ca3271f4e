// What a console is asked to draw. The arrays are in programs.c.
#pragma once

#include <3ds.h>

// The buffers that a program uses.
enum { BUFFER_DATA, BUFFER_COLOR, BUFFER_DEPTH, BUFFER_COUNT };

// A word of the command list to which the physical address of a buffer,
// divided by 8, is added.
typedef struct {
	u32 word;
	u32 buffer;
} reloc_t;

enum { FILL_16, FILL_32 };

typedef struct {
	const char *name;
	u32 hash;        // of everything below; goes into the result
	u32 color_bytes; // of the colour buffer
	u32 depth_bytes; // of the depth buffer, which is 0 at first
	u32 fill;        // FILL_16 or FILL_32: width of clear
	u32 clear;       // fills the colour buffer first
	const u32 *list;
	u32 list_words;
	const u32 *data; // vertices and textures
	u32 data_words;
	const reloc_t *relocs;
	u32 reloc_count;
} program_t;

extern const program_t programs[];
extern const u32 program_count;
