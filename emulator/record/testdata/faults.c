/* A host with a handler of faults of its own, which a recorder that protects pages must leave to it:
 *   faults FILE siginfo | plain | default  the handler that the host has
 * Records two copies of a page, of which the second has bytes that are written in between, and the same
 * of memory that lies between pages, then two of all memory, of which every page is written in between; the host faults at a page of its own
 * before, while and after it records. */
#define _XOPEN_SOURCE 700
#define _DEFAULT_SOURCE
#define PICA200_RECORD_IMPLEMENTATION
#include "pica200_record.h"

#include <sys/wait.h>

enum { FCRAM = 0x20000000, SIZE = 48 << 20, VRAM = 0x18000000, VRAM_SIZE = 6 << 20, PAGE = 4096 };

static volatile uint8_t *own; /* a page that the host protects */
static volatile int faults;

static void lift(void) {
    faults++;
    if (mprotect((void *)own, PAGE, PROT_READ | PROT_WRITE) != 0) _exit(3);
}

static void with_siginfo(int sig, siginfo_t *info, void *context) {
    if (sig != SIGSEGV || info->si_addr != (const volatile void *)(own + 5) || context == NULL) _exit(3);
    lift();
}

static void plain(int sig) {
    if (sig != SIGSEGV) _exit(3);
    lift();
}

static uint8_t *map(size_t bytes) {
    void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (p == MAP_FAILED) _exit(3);
    return (uint8_t *)p;
}

/* A fault of the host's own. Where it has no handler a child dies of it. */
static void fault(int handled) {
    int before = faults, status;
    if (mprotect((void *)own, PAGE, PROT_NONE) != 0) _exit(3);
    if (handled) {
        own[5] = 1;
        if (faults != before + 1) _exit(4);
    } else {
        pid_t child = fork();
        if (child == 0) {
            own[5] = 1;
            _exit(0);
        }
        if (waitpid(child, &status, 0) != child || !WIFSIGNALED(status) || WTERMSIG(status) != SIGSEGV) _exit(5);
    }
}

static void copy(pica200_recorder *r, uint32_t from, uint32_t bytes) {
    pica200_record_copy(r, FCRAM + from, VRAM, bytes, 0, 0, 8);
    pica200_record_done(r);
    pica200_record_frame(r);
}

int main(int argc, char **argv) {
    pica200_record_options o;
    pica200_recorder *r, *second;
    struct sigaction a, now;
    uint8_t *fcram = map(SIZE), *vram = map(VRAM_SIZE + PAGE) + 16; /* of which no page can be protected */
    int handled, i;
    if (argc < 3) return 3;
    own = map(PAGE);
    memset(&a, 0, sizeof a);
    handled = strcmp(argv[2], "default") != 0;
    if (strcmp(argv[2], "siginfo") == 0) a.sa_flags = SA_SIGINFO, a.sa_sigaction = with_siginfo;
    else a.sa_handler = handled ? plain : SIG_DFL;
    if (sigaction(SIGSEGV, &a, NULL) != 0) return 3;
    fault(handled);
    memset(&o, 0, sizeof o);
    o.regions[0].data = fcram, o.regions[0].address = FCRAM, o.regions[0].size = SIZE;
    o.regions[1].data = vram, o.regions[1].address = VRAM, o.regions[1].size = VRAM_SIZE;
    o.region_count = 2;
    o.track = PICA200_TRACK_MPROTECT;
    r = pica200_record_open(argv[1], &o);
    if (!pica200_record_tracks(r)) return 6;
    second = pica200_record_open("/dev/null", &o); /* of memory that another recorder protects: it compares */
    if (pica200_record_tracks(second)) return 7;
    if (pica200_record_close(second) != 0) return 7;
    pica200_record_begin(r);
    memset(fcram, 'a', 2 * PAGE);
    copy(r, PAGE, PAGE);
    fault(handled);
    fcram[PAGE + 7] = 'b'; /* faults, and is found */
    fcram[PAGE + 8] = 'c';
    copy(r, PAGE, PAGE);
    vram[100] = 'v';
    pica200_record_copy(r, VRAM, FCRAM, PAGE, 0, 0, 8);
    vram[100] = 'w';
    pica200_record_copy(r, VRAM, FCRAM, PAGE, 0, 0, 8);
    memset(fcram, 0, 2 * PAGE);
    copy(r, 0, SIZE);
    for (i = 0; i < SIZE / PAGE; i++) fcram[i * PAGE + 9] = 'd'; /* more faults than are lifted page by page */
    copy(r, 0, SIZE);
    fault(handled);
    if (!pica200_record_tracks(r) || pica200_record_close(r) != 0) return 8;
    if (sigaction(SIGSEGV, NULL, &now) != 0 || (now.sa_flags & SA_SIGINFO) != (a.sa_flags & SA_SIGINFO)) return 9;
    if (a.sa_flags & SA_SIGINFO ? now.sa_sigaction != a.sa_sigaction : now.sa_handler != a.sa_handler) return 9;
    memset(fcram, 'z', SIZE); /* nothing is protected any more */
    fault(handled);
    printf("%d faults of the host\n", faults);
    return 0;
}
