/* An emulator without a GPU: it goes through a script of what a program does,
 * memory written by the CPU, registers, ends of frames, and records it as a host
 * would, at the five commands.
 *
 *   host SCRIPT OUT [told] [tracked] [protected] [marked] [die FRAME] [from FRAME]
 *
 * told: says what changed instead of having it found. tracked: the system says it, protected:
 * faults do; the CPU has a mapping of memory of its own. marked: memory is full of
 * MARK where the program loads nothing, as if code and data of a game stood there.
 * die: ends without a word in the middle of that frame. from: begins the
 * recording there.
 *
 * The script: words of 32 bits, little-endian. 0 end; 1 load: address, bytes,
 * the bytes; 2 register write: address, width, low, high; 3 end of frame;
 * 4 block of the state: number, words, the words; 5 what the GPU writes to memory for
 * the command before it, as load.
 */
#define _XOPEN_SOURCE 700 /* for PICA200_TRACK_MPROTECT */
#define PICA200_RECORD_IMPLEMENTATION
#include "pica200_record.h"

#include <signal.h>
#ifdef P2R_PAGE_TABLES
#include <sys/mman.h>
extern int ftruncate(int fd, long size);
#endif

enum { FCRAM = 0x20000000, FCRAM_SIZE = 128 << 20, VRAM = 0x18000000, VRAM_SIZE = 6 << 20 };

static uint8_t *fcram, *vram;         /* as the GPU sees it */
static uint8_t *cpu_fcram, *cpu_vram; /* as the CPU does: the same, or mapped once more */
static uint32_t ext[0x400]; /* 0x10400000 */
static int undone;     /* a command is being executed */
static int swapped[2]; /* screens whose registers were written in the frame */
static FILE *script;

static uint32_t word(void) {
    uint8_t b[4];
    if (fread(b, 1, 4, script) != 4) {
        fprintf(stderr, "host: the script ends in the middle\n");
        exit(3);
    }
    return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

/* Maps memory twice, as emulators do that let the CPU of the game address it. */
static void twice(uint32_t size, uint8_t **one, uint8_t **two) {
    void *p[2] = {NULL, NULL};
#ifdef P2R_PAGE_TABLES
    int i, fd = (int)syscall(SYS_memfd_create, "memory", 0);
    for (i = 0; i < 2 && fd >= 0 && ftruncate(fd, size) == 0; i++) p[i] = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
#endif
    if (p[1] == NULL || p[1] == (void *)-1) {
        printf("host: memory cannot be mapped twice here\n");
        exit(4);
    }
    *one = (uint8_t *)p[0];
    *two = (uint8_t *)p[1];
}

/* Memory for the CPU, or for the GPU. */
static uint8_t *at(uint32_t address, uint32_t bytes, int cpu) {
    if (address >= FCRAM && (uint64_t)address + bytes <= (uint64_t)FCRAM + FCRAM_SIZE) return (cpu ? cpu_fcram : fcram) + (address - FCRAM);
    if (address >= VRAM && (uint64_t)address + bytes <= (uint64_t)VRAM + VRAM_SIZE) return (cpu ? cpu_vram : vram) + (address - VRAM);
    fprintf(stderr, "host: no memory at 0x%08lX\n", (unsigned long)address);
    exit(3);
}

/* Writes to memory what the script says, for the CPU or for the GPU. The system's own calls may
 * not write to memory that a recorder protects. */
typedef struct {
    uint32_t address, bytes;
} range;

static range load(int cpu) {
    range to;
    uint8_t *data;
    to.address = word();
    to.bytes = word();
    data = (uint8_t *)malloc(to.bytes + 1);
    if (data == NULL || fread(data, 1, to.bytes, script) != to.bytes) exit(3);
    memcpy(at(to.address, to.bytes, cpu), data, to.bytes);
    free(data);
    return to;
}

static void mark(uint8_t *p, uint32_t bytes) {
    uint32_t i;
    for (i = 0; i < bytes; i += 4) memcpy(p + i, "MARK", 4);
}

#define EXT(address) ext[((address) - 0x10400000u) / 4]

/* The registers that pica200_record_screen takes. */
static int of_screen(uint32_t offset) {
    return offset == 0x68 || offset == 0x6C || offset == 0x70 || offset == 0x78 || offset == 0x90 || offset == 0x94 ||
           offset == 0x98;
}

static void screens(pica200_recorder *r) {
    uint32_t base, i;
    for (i = 0; i < 2; i++) {
        if (!swapped[i]) continue;
        swapped[i] = 0;
        base = 0x10400400u + i * 0x100u;
        pica200_record_screen(r, (int)i, (int)(EXT(base + 0x78) & 1), EXT(base + 0x68), EXT(base + 0x6C), EXT(base + 0x94),
                              EXT(base + 0x98), EXT(base + 0x70), EXT(base + 0x90));
    }
}

/* What the system does when a program writes to a register of the GPU. */
static void reg(pica200_recorder *r, uint32_t address, uint32_t width, uint64_t value) {
    int external = address >= 0x10400000u && address < 0x10401000u;
    if (external && width == 4) EXT(address) = (uint32_t)value;
    if (r == NULL) return;
    if (address == 0x104018F0u) {
        pica200_record_list(r, ext[1] << 3, ext[0] << 3, 0);
    } else if (address == 0x104018E0u || address == 0x104018E8u) {
        ext[address == 0x104018E8u] = (uint32_t)value; /* words that no program uses */
        return;
    } else if (address == 0x1040001Cu || address == 0x1040002Cu) {
        if ((value & 1) == 0) return;
        pica200_record_fill(r, EXT(address - 12) << 3, EXT(address - 8) << 3, EXT(address - 4), (uint32_t)value);
    } else if (address == 0x10400C18u) {
        if ((value & 1) == 0) return;
        if (EXT(0x10400C10u) & 8)
            pica200_record_copy(r, EXT(0x10400C00u) << 3, EXT(0x10400C04u) << 3, EXT(0x10400C20u), EXT(0x10400C24u),
                                EXT(0x10400C28u), EXT(0x10400C10u));
        else
            pica200_record_transfer(r, EXT(0x10400C00u) << 3, EXT(0x10400C04u) << 3, EXT(0x10400C0Cu),
                                    EXT(0x10400C08u), EXT(0x10400C10u));
    } else if (external && address >= 0x10400400u && address < 0x10400600u && of_screen(address & 0xFF)) {
        swapped[address >> 8 & 1] = 1; /* at the end of the frame */
        return;
    } else if (external && (address < 0x10400030u || address >= 0x10400C00u)) {
        return; /* arguments of fills and transfers */
    } else {
        pica200_record_write(r, address, width, value);
    }
    undone = 1;
}

int main(int argc, char **argv) {
    pica200_record_options o;
    pica200_recorder *r = NULL;
    uint32_t *blocks[PICA200_BLOCK_END] = {0}, counts[PICA200_BLOCK_END] = {0};
    int frame = 0, die = -1, from = 0, marked = 0, i, status;
    memset(&o, 0, sizeof o);
    for (i = 3; i < argc; i++) {
        if (strcmp(argv[i], "told") == 0) o.told = 1;
        if (strcmp(argv[i], "tracked") == 0) o.track = PICA200_TRACK_AUTO;
        if (strcmp(argv[i], "protected") == 0) o.track = PICA200_TRACK_MPROTECT;
        if (strcmp(argv[i], "marked") == 0) marked = 1;
        if (strcmp(argv[i], "die") == 0 && i + 1 < argc) die = atoi(argv[++i]);
        if (strcmp(argv[i], "from") == 0 && i + 1 < argc) from = atoi(argv[++i]);
    }
    if (argc < 3 || (script = fopen(argv[1], "rb")) == NULL) {
        fprintf(stderr, "usage: host SCRIPT OUT [told] [die FRAME] [from FRAME]\n");
        return 3;
    }
#ifdef SIGXFSZ
    signal(SIGXFSZ, SIG_IGN); /* a limit on files stands for a full disk */
#endif
    EXT(0x10400490u) = EXT(0x10400590u) = 720; /* bytes of a screen's line, as the console starts */
    if (o.track != PICA200_TRACK_NONE) {
        twice(FCRAM_SIZE, &fcram, &cpu_fcram);
        twice(VRAM_SIZE, &vram, &cpu_vram);
    } else {
        cpu_fcram = fcram = (uint8_t *)calloc(FCRAM_SIZE, 1);
        cpu_vram = vram = (uint8_t *)calloc(VRAM_SIZE, 1);
    }
    if (marked) {
        mark(fcram, FCRAM_SIZE);
        mark(vram, VRAM_SIZE);
    }
    o.producer = "host.c";
    o.version = "1";
    o.title = "a script\nof two lines";
    o.regions[0].data = fcram;
    o.regions[0].address = FCRAM;
    o.regions[0].size = FCRAM_SIZE;
    o.regions[1].data = vram;
    o.regions[1].address = VRAM;
    o.regions[1].size = VRAM_SIZE;
    o.region_count = 2;
    for (;;) {
        uint32_t op = word(), a, n;
        range loaded;
        if (undone && op != 5) pica200_record_done(r);
        if (op != 5) undone = 0;
        if (op == 5) {
            load(0);
            continue;
        }
        if (op == 4) {
            a = word();
            n = word();
            blocks[a] = (uint32_t *)calloc(n + 1, 4);
            counts[a] = n;
            for (i = 0; i < (int)n; i++) blocks[a][i] = word();
            if (a == PICA200_BLOCK_EXTERNAL) memcpy(ext, blocks[a], 4 * (n < 0x400 ? n : 0x400));
            continue;
        }
        if (r == NULL && frame == from) {
            r = pica200_record_open(argv[2], &o);
            for (i = 1; i < PICA200_BLOCK_END; i++)
                if (counts[i] > 0) pica200_record_block(r, (uint32_t)i, blocks[i], counts[i]);
            pica200_record_mapped(r, cpu_fcram, FCRAM, FCRAM_SIZE);
            pica200_record_mapped(r, cpu_vram, VRAM, VRAM_SIZE);
            if (o.track != PICA200_TRACK_NONE && !pica200_record_tracks(r)) {
                printf("host: the system does not track\n");
                return 4;
            }
            pica200_record_begin(r);
        }
        if (op == 0) break;
        if (op == 1) {
            loaded = load(1);
            if (r != NULL) pica200_record_changed(r, loaded.address, loaded.bytes);
        } else if (op == 2) {
            uint32_t width, low, high;
            a = word();
            width = word();
            low = word();
            high = word();
            reg(r, a, width, (uint64_t)high << 32 | low);
            if (frame == die && a == 0x104018F0u) _Exit(9);
        } else if (op == 3) {
            if (r != NULL) screens(r);
            if (r != NULL) pica200_record_frame(r);
            frame++;
        }
    }
    if (pica200_record_error(r) != NULL) fprintf(stderr, "host: %s\n", pica200_record_error(r));
    status = pica200_record_close(r);
    printf("%d frames\n", frame);
    for (i = 0; i < PICA200_BLOCK_END; i++) free(blocks[i]);
    if (cpu_fcram == fcram) free(fcram);
    if (cpu_vram == vram) free(vram);
    fclose(script);
    return status;
}
