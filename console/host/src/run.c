/* run.c - reads the command line, starts and ends the program, writes pictures and reports
 * errors. Part of pica200, MIT License. */
#define _GNU_SOURCE
#include "host.h"

#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <getopt.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/iosupport.h>
#include <sys/personality.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

host_options host_option = {.name = "program", .timeout = 20};
pica200_gpu *host_gpu;
volatile long host_frame;
bool host_closing;
extern const char host_romfs[] __attribute__((weak)); /* from host.mk: the project's folder, or "" */
const devoptab_t *devoptab_list[STD_MAX];
static char self[4096]; /* path of the program */

/* --- Errors -------------------------------------------------------------------- */

/* Returns the function that contains an address: "draw (main.c:12)" if it was compiled with
 * -g, as the program's own files are; "draw" in libraries and the host; "" outside of the
 * program. */
static const char *place_of(const void *at) {
    static char text[512];
    Dl_info mine, its;
    int pipes[2];
    char offset[32], out[400] = "";
    if (!dladdr((void *)(uintptr_t)place_of, &mine) || !dladdr(at, &its) || its.dli_fbase != mine.dli_fbase) return "";
#if __PIE__
    at = (const char *)at - (uintptr_t)its.dli_fbase;
#endif
    snprintf(offset, sizeof offset, "0x%lx", (unsigned long)at - 1);
    if (pipe(pipes) == 0) {
        pid_t child = fork();
        if (child == 0) {
            dup2(pipes[1], 1);
            execlp("addr2line", "addr2line", "-Cfse", self, offset, (char *)NULL);
            _exit(127);
        }
        close(pipes[1]);
        ssize_t n = read(pipes[0], out, sizeof out - 1);
        if (n > 0) out[n] = 0;
        close(pipes[0]);
        if (child > 0) waitpid(child, NULL, 0);
    }
    char *line = strchr(out, '\n');
    if (line && out[0] != '?') {
        *line++ = 0;
        line[strcspn(line, " \n")] = 0;
        snprintf(text, sizeof text, strchr(line, '?') ? "%s" : "%s (%s)", out, line);
    } else {
        snprintf(text, sizeof text, "%s", its.dli_sname ? its.dli_sname : "");
    }
    return text;
}

/* Describes the place of an error: ", in draw (main.c:12)", and inside a library also the
 * function of the program that called it. */
static const char *where_is(const void *at) {
    static char text[1100];
    void *calls[64];
    int n = backtrace(calls, 64), from = 1;
    const char *name = at ? place_of(at) : "";
    snprintf(text, sizeof text, *name ? ", in %s" : "%s", name);
    if (strchr(name, '(')) return text;
    for (int i = 0; i < n; i++)
        if (calls[i] == at) from = i;
    for (int i = from; i < n; i++) {
        name = place_of(calls[i]);
        if (!strchr(name, '(')) continue;
        snprintf(text + strlen(text), 520, *text ? ", called in %s" : ", in %s", name);
        break;
    }
    return text;
}

void host_stop(const void *where, const char *format, ...) {
    static volatile bool stopping;
    char text[1024];
    va_list args;
    if (stopping) _exit(1);
    stopping = true;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    dprintf(2, "%s: %s%s", host_option.name, text, where_is(where));
    if (host_gpu) dprintf(2, ", in frame %ld", host_frame);
    dprintf(2, "\n");
    host_card_away();
    _exit(1); /* a recording stays readable up to its last complete frame */
}

extern const char host_missing_list[] __attribute__((weak)); /* from link.sh */
void host_missing(const char *name, const void *caller) {
    host_stop(caller, "%s is missing here; %s lists all such functions", name, host_missing_list);
}

#if !defined __SANITIZE_ADDRESS__
static struct sigaction others[NSIG];

static void crashed(int signal, siginfo_t *info, void *context) {
    Dl_info at;
    void *pc = NULL;
#if defined __x86_64__
    pc = (void *)((ucontext_t *)context)->uc_mcontext.gregs[16 /* REG_RIP */];
#elif defined __i386__
    pc = (void *)((ucontext_t *)context)->uc_mcontext.gregs[14 /* REG_EIP */];
#endif
    if (dladdr(pc, &at) && strstr(at.dli_fname, "libpica200") && others[signal].sa_sigaction) {
        others[signal].sa_sigaction(signal, info, context);
        return;
    }
    if (signal == SIGFPE) host_stop((char *)pc + 1, "division by zero (the console gives 0)");
    if (signal == SIGSEGV || signal == SIGBUS) host_stop((char *)pc + 1, "access to %p, where there is no memory", info->si_addr);
    host_stop((char *)pc + 1, "signal %d (%s)", signal, strsignal(signal));
}

static void catch_crashes(void) {
    static char stack[1 << 17];
    stack_t own = {.ss_sp = stack, .ss_size = sizeof stack};
    struct sigaction a = {.sa_sigaction = crashed, .sa_flags = SA_SIGINFO | SA_ONSTACK};
    sigaltstack(&own, NULL);
    for (const int *s = (const int[]){SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, 0}; *s; s++) sigaction(*s, &a, &others[*s]);
}
#else
static void catch_crashes(void) {} /* the sanitizer reports more */
#endif

static void too_long(int signal, siginfo_t *info, void *context) {
    (void)signal, (void)info, (void)context;
    void *calls[64];
    backtrace(calls, 64);
    host_stop(NULL, "no frame ended for %d seconds: endless loop? (--timeout)", host_option.timeout);
}

static void *watch(void *none) {
    long seen = -1;
    for (int seconds = 0;; seconds++) {
        poll(NULL, 0, 1000);
        if (seen != host_frame) seen = host_frame, seconds = 0;
        if (seconds >= host_option.timeout) pthread_kill(host_running(), SIGUSR2);
    }
    return none;
}

/* --- Pictures ------------------------------------------------------------------- */

static uint32_t crc(uint32_t c, const uint8_t *p, size_t n) {
    for (c = ~c; n--; p++) {
        c ^= *p;
        for (int k = 0; k < 8; k++) c = c >> 1 ^ (0xEDB88320 & -(c & 1));
    }
    return ~c;
}

static void big(uint8_t *p, uint32_t v) { p[0] = (uint8_t)(v >> 24), p[1] = (uint8_t)(v >> 16), p[2] = (uint8_t)(v >> 8), p[3] = (uint8_t)v; }

static void chunk(FILE *f, const char *type, uint8_t *data, size_t n) {
    uint8_t head[8], end[4];
    big(head, (uint32_t)n);
    memcpy(head + 4, type, 4);
    big(end, crc(crc(0, head + 4, 4), data, n));
    fwrite(head, 1, 8, f), fwrite(data, 1, n, f), fwrite(end, 1, 4, f);
}

/* Writes a PNG without compression. */
static void write_png(const char *path, const uint8_t *rgba, int width, int height) {
    enum { MOST = 65535 };
    size_t line = 3 * (size_t)width + 1, size = line * (size_t)height, room = size + size / MOST * 5 + 16, n = 2;
    uint8_t *raw = malloc(size), *z = malloc(room), head[13] = {0};
    uint32_t a = 1, b = 0;
    FILE *f = __real_fopen(path, "wb");
    if (f == NULL || raw == NULL || z == NULL) host_stop(NULL, "%s cannot be written (%s)", path, strerror(errno));
    for (int y = 0; y < height; y++) {
        uint8_t *to = raw + line * (size_t)y;
        *to++ = 0;
        for (int x = 0; x < width; x++, to += 3) memcpy(to, rgba + 4 * ((size_t)y * (size_t)width + (size_t)x), 3);
    }
    z[0] = 0x78, z[1] = 1;
    for (size_t at = 0; at < size; at += MOST) {
        size_t part = size - at < MOST ? size - at : MOST;
        uint8_t block[5] = {at + part == size, (uint8_t)part, (uint8_t)(part >> 8), (uint8_t)~part, (uint8_t)(~part >> 8)};
        memcpy(z + n, block, 5), memcpy(z + n + 5, raw + at, part), n += part + 5;
    }
    for (size_t i = 0; i < size; i++) a = (a + raw[i]) % 65521, b = (b + a) % 65521;
    big(z + n, b << 16 | a), n += 4;
    big(head, (uint32_t)width), big(head + 4, (uint32_t)height), head[8] = 8, head[9] = 2;
    fwrite("\x89PNG\r\n\x1A\n", 1, 8, f);
    chunk(f, "IHDR", head, 13), chunk(f, "IDAT", z, n), chunk(f, "IEND", head, 0);
    if (fclose(f) != 0) host_stop(NULL, "%s cannot be written (%s)", path, strerror(errno));
    free(raw), free(z);
}

static bool stereo;

static void write_screens(long frame) {
    static const char *const names[] = {"top", "bottom", "topright"};
    static uint8_t rgba[4 * 800 * 240];
    for (int i = 0; i < 2 + stereo; i++) {
        char path[4096];
        int width, height;
        if (pica200_screen(host_gpu, i, rgba, sizeof rgba, &width, &height)) host_stop(NULL, "%s", pica200_error(host_gpu));
        snprintf(path, sizeof path, "%s/frame%ld-%s.png", host_option.png, frame, names[i]);
        write_png(path, rgba, width, height);
    }
}

/* --- Frames, start and end ---------------------------------------------------------- */

float host_slider(void);

void host_frame_ends(bool two_eyes) {
    enum { PATIENCE = 600 }; /* most frames until a program ends that was asked to */
    static long last;
    long frame = host_frame++;
    ((osSharedConfig_s *)(uintptr_t)OS_SHAREDCFG_VADDR)->slider_3d = host_slider();
    stereo = two_eyes;
    if (host_closing) {
        if (frame > last + PATIENCE) host_stop(NULL, "the program does not end, although aptMainLoop returns false since frame %ld", last);
        return;
    }
    if (host_option.record && pica200_recording_frame(host_gpu)) host_stop(NULL, "%s: %s", host_option.record, pica200_error(host_gpu));
    bool closed = host_option.window && host_window_frame(stereo), end = closed || host_frame == host_option.frames;
    if (host_option.png && (end || (host_option.every && frame % host_option.every == 0))) write_screens(frame);
    if (!end) return;
    if (host_option.record && pica200_recording_end(host_gpu)) host_stop(NULL, "%s: %s", host_option.record, pica200_error(host_gpu));
    host_closing = true, last = host_frame;
}

static void ended(void) {
    fflush(NULL);
    host_card_away();
    if (host_closing || host_gpu == NULL) return;
    if (host_option.record) pica200_recording_end(host_gpu);
    if (host_option.png && !host_option.every && host_frame) write_screens(host_frame - 1);
    if (host_option.frames) host_stop(NULL, "the program ended after %ld of %ld frames", host_frame, host_option.frames);
}

static ssize_t print(void *none, const char *text, size_t n) {
    (void)none;
    const devoptab_t *d = devoptab_list[STD_OUT];
    return d && d->write_r ? d->write_r(NULL, NULL, text, n) : write(1, text, n);
}

__attribute__((constructor(103))) static void redirect(void) {
    FILE *f = fopencookie(NULL, "w", (cookie_io_functions_t){.write = print});
    if (f) setvbuf(f, NULL, _IOLBF, 0), stdout = f;
}

static const char help[] =
    "A program for the Nintendo 3DS, built for this machine with pica200.\n\n"
    "  --frames N       end after N frames\n"
    "  --png FOLDER     write the screens of the last frame: frame59-top.png, -bottom, in 3D -topright\n"
    "  --every N        also every Nth frame, from frame 0\n"
    "  --record FILE    write a recording (.picatrace)\n"
    "  --keys FILE      press keys: a line \"FRAME KEY...\" for each change; \"FRAME text=...\" answers the keyboard\n"
    "  --slider S       position of the 3D slider, 0 to 1\n"
    "  --romfs FOLDER   the contents of romfs:/\n"
    "  --sdmc FOLDER    the contents of sdmc:/ (otherwise an empty folder 3ds)\n"
    "  --font FILE      use this font of the system (.bcfnt)\n"
    "  --window         show both screens (SDL2). Keys: A S Z X Q W N M for A B X Y L R SELECT START,\n"
    "                   T F G H for the D-pad, arrows for the circle pad, mouse for the touch screen\n"
    "  --timeout S      most seconds of a frame (20)\n"
    "  --workers N      threads that draw (one for each processor)\n";

static void read_options(int argc, char **argv) {
    static const struct option known[] = {{"frames", 1, 0, 'f'}, {"png", 1, 0, 'p'}, {"every", 1, 0, 'e'}, {"record", 1, 0, 'r'},
        {"keys", 1, 0, 'k'}, {"slider", 1, 0, '3'}, {"romfs", 1, 0, 'o'}, {"sdmc", 1, 0, 's'}, {"font", 1, 0, 'n'}, {"window", 0, 0, 'v'}, {"timeout", 1, 0, 't'},
        {"workers", 1, 0, 'w'}, {"help", 0, 0, 'h'}, {0}};
    int c;
    while ((c = getopt_long(argc, argv, "", known, NULL)) != -1) {
        char *end = "";
        double n = c == '?' || c == 'h' || c == 'v' || strchr("prkosn", c) ? 1 : strtod(optarg, &end);
        if (*end || n < 0 || (c == '3' ? n > 1 : n > 1e9 || n != (double)(long)n)) host_stop(NULL, "\"%s\" is not a number that this option takes", optarg);
        switch (c) {
        case 'f': host_option.frames = (long)n; break;
        case 'e': host_option.every = (long)n; break;
        case 't': host_option.timeout = (int)n; break;
        case 'v': host_option.window = true; break;
        case 'w': host_option.workers = (int)n; break;
        case '3': host_option.slider = (float)n; break;
        case 'p': host_option.png = optarg; break;
        case 'r': host_option.record = optarg; break;
        case 'k': host_option.keys = optarg; break;
        case 'o': host_option.romfs = optarg; break;
        case 's': host_option.sdmc = optarg; break;
        case 'n': host_option.font = optarg; break;
        case 'h': fputs(help, stdout), exit(0);
        default: fputs(help, stderr), _exit(1);
        }
    }
    if (optind < argc) host_stop(NULL, "\"%s\" is not an option (--help lists them)", argv[optind]);
}

/* Begins anew with the same addresses in each run, which programs print and sort by, where the system permits that. */
__attribute__((constructor(101))) static void settle(int argc, char **argv) {
    int now = personality(0xFFFFFFFF);
    (void)argc;
    if (now != -1 && !(now & ADDR_NO_RANDOMIZE) && personality((unsigned long)now | ADDR_NO_RANDOMIZE) != -1) execv("/proc/self/exe", argv);
}

/* Runs before the program's own constructors, which may draw. */
__attribute__((constructor(104))) static void begin(int argc, char **argv) {
    char why[256];
    const char *slash = strrchr(argv[0], '/');
    ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    self[n > 0 ? n : 0] = 0;
    host_option.name = slash ? slash + 1 : argv[0];
    if (host_romfs && *host_romfs) host_option.romfs = host_romfs;
    read_options(argc, argv);
    if (host_option.keys) host_keys_load(host_option.keys);
    if (host_option.png && __real_mkdir(host_option.png, 0777) != 0 && errno != EEXIST) host_stop(NULL, "%s cannot be made (%s)", host_option.png, strerror(errno));
    pica200_options o = {.fcram = (void *)(uintptr_t)OS_FCRAM_VADDR, .fcram_size = HOST_FCRAM, .vram = (void *)(uintptr_t)OS_VRAM_VADDR,
        .vram_size = HOST_VRAM, .memory = PICA200_TOLD, .workers = host_option.workers};
    pica200_gpu *gpu = pica200_create(&o, why, sizeof why);
    if (gpu == NULL) host_stop(NULL, "%s", why);
    if (host_option.record && pica200_recording_begin(gpu, host_option.record, "pica200 host", host_option.name))
        host_stop(NULL, "%s: %s", host_option.record, pica200_error(gpu));
    host_gpu = gpu;
    if (host_option.window) host_window_open();
    ((osSharedConfig_s *)(uintptr_t)OS_SHAREDCFG_VADDR)->slider_3d = host_slider();
    catch_crashes();
    struct sigaction a = {.sa_sigaction = too_long, .sa_flags = SA_SIGINFO | SA_ONSTACK};
    sigaction(SIGUSR2, &a, NULL);
    pthread_t watcher;
    if (host_option.timeout && pthread_create(&watcher, NULL, watch, NULL) == 0) pthread_detach(watcher);
}

int __real_main(int argc, char **argv);
int __wrap_main(int argc, char **argv) {
    (void)argc, argv[1] = NULL;
    atexit(ended);
    return __real_main(1, argv);
}
