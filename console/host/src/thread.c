/* thread.c - time, threads and locks. A thread runs until it waits. Then the next thread
 * that is ready runs, in the order of creation. If none is ready, the clock is advanced
 * to the next vertical blank or to the first timeout. Part of pica200, MIT License. */
#define _GNU_SOURCE
#include "host.h"

#include <pthread.h>
#include <stdlib.h>
#include <sys/time.h>
#include <time.h>

struct Thread_tag {
    pthread_t id;
    pthread_cond_t turn;
    bool (*ready)(void *); /* what the thread waits for; NULL: it does not wait */
    void *what;
    uint64_t until; /* time of the timeout */
    ThreadFunc entry;
    void *arg;
    int code;
    bool done, detached;
    Handle handle;
    Thread next; /* all threads are linked in a ring */
};

static pthread_mutex_t turns = PTHREAD_MUTEX_INITIALIZER; /* held by the running thread */
static struct Thread_tag first = {.turn = PTHREAD_COND_INITIALIZER, .next = &first};
static Thread current = &first;
static uint64_t ticks, blank = HOST_TICKS_FRAME;

__attribute__((constructor(102))) static void begin(void) {
    first.id = pthread_self();
    pthread_mutex_lock(&turns);
}

pthread_t host_running(void) { return current->id; }
Thread host_thread(void) { return current; }
Handle threadGetHandle(Thread t) {
    if (t == NULL) t = &first;
    return t->handle ? t->handle : (t->handle = host_thread_begins(t));
}
Handle host_thread_handle(void) { return threadGetHandle(current); }

static void pass(uint64_t to) {
    ticks = to;
    while (ticks >= blank) {
        blank += HOST_TICKS_FRAME;
        host_vblank();
    }
}

uint64_t host_clock(void) { return ticks; }
u64 svcGetSystemTick(void) { return pass(ticks + HOST_TICKS_ASKED), ticks; }

static Thread pick(void) {
    for (;;) {
        host_interrupts();
        uint64_t soon = blank;
        Thread t = current;
        do {
            t = t->next;
            if (!t->done && (t->ready == NULL || ticks >= t->until || t->ready(t->what))) return t;
            if (!t->done && t->until < soon) soon = t->until;
        } while (t != current);
        pass(soon);
    }
}

static void hand_to(Thread t) {
    current = t;
    pthread_cond_signal(&t->turn);
}

static void await_turn(Thread self) {
    while (current != self) pthread_cond_wait(&self->turn, &turns);
}

bool host_wait(bool (*ready)(void *), void *what, int64_t ns) {
    return host_wait_until(ready, what, ns < 0 ? UINT64_MAX : ticks + (uint64_t)((double)ns * SYSCLOCK_ARM11 / 1e9));
}

bool host_wait_until(bool (*ready)(void *), void *what, uint64_t until) {
    Thread self = current;
    self->ready = ready, self->what = what, self->until = until;
    hand_to(pick());
    await_turn(self);
    self->ready = NULL;
    return ready(what);
}

static bool never(void *none) { return (void)none, false; }
void svcSleepThread(s64 ns) { host_wait(never, NULL, ns < 0 ? 0 : ns); }

static void leave(Thread self) {
    self->done = true;
    if (self->handle) host_thread_ends(self->handle, self);
    Thread before = self;
    while (before->next != self) before = before->next;
    hand_to(pick());
    before->next = self->next;
    bool detached = self->detached;
    if (detached) pthread_detach(self->id), free(self);
    pthread_mutex_unlock(&turns);
}

static void *run(void *thread) {
    Thread self = thread;
    pthread_mutex_lock(&turns);
    await_turn(self);
    self->entry(self->arg);
    leave(self);
    return NULL;
}

Thread threadCreate(ThreadFunc entry, void *arg, size_t stack, int priority, int core, bool detached) {
    (void)stack, (void)priority, (void)core;
    Thread t = calloc(1, sizeof *t);
    if (t == NULL) return NULL;
    t->entry = entry, t->arg = arg, t->detached = detached;
    pthread_cond_init(&t->turn, NULL);
    if (pthread_create(&t->id, NULL, run, t) != 0) return free(t), NULL;
    Thread end = current; /* append it to the ring */
    while (end->next != &first) end = end->next;
    t->next = &first, end->next = t;
    return t;
}

/* Those that have left the ring are done, and detached ones freed. */
static bool is_done(void *t) {
    Thread in = &first;
    while (in != t && in->next != &first) in = in->next;
    return in != t || in->done;
}
Result threadJoin(Thread t, u64 ns) {
    if (t == NULL) return 0;
    return host_wait(is_done, t, ns > INT64_MAX ? -1 : (int64_t)ns) ? 0 : 0x09401BFE; /* timed out */
}
void threadFree(Thread t) {
    if (t == NULL) return;
    host_wait(is_done, t, -1);
    pthread_mutex_unlock(&turns); /* the thread may not have returned yet */
    pthread_join(t->id, NULL);
    pthread_mutex_lock(&turns);
    free(t);
}
void threadDetach(Thread t) {
    if (t && t->done) threadFree(t);
    else if (t) t->detached = true;
}
Thread threadGetCurrent(void) { return current == &first ? NULL : current; }
int threadGetExitCode(Thread t) { return t && t->done ? t->code : 0; }
void threadExit(int code) {
    if (current == &first) exit(code);
    current->code = code;
    leave(current);
    pthread_exit(NULL);
}
void svcExitThread(void) { threadExit(0); }
void svcExitProcess(void) { exit(0); }
Result svcCreateThread(Handle *out, ThreadFunc entry, u32 arg, u32 *stack, s32 priority, s32 core) {
    (void)stack;
    Thread t = threadCreate(entry, host_pointer(arg), 0, priority, core, true);
    return t ? svcDuplicateHandle(out, threadGetHandle(t)) : (Result)0xC860180A; /* too many */
}
Result svcGetThreadId(u32 *out, Handle handle) {
    Thread wanted = host_data(handle, HOST_THREAD);
    *out = 1;
    for (Thread t = &first; t != wanted; t = t->next, ++*out)
        if (t->next == &first) return (Result)0xD8E007F7; /* no such thread */
    return 0;
}

/* Values of a lock: -1 taken; 1, or 0 as in zeroed memory, free. */
static bool is_free(void *lock) { return *(LightLock *)lock >= 0; }
void LightLock_Init(LightLock *lock) { *lock = 1; }
int LightLock_TryLock(LightLock *lock) { return is_free(lock) ? (*lock = -1, 0) : 1; }
void LightLock_Lock(LightLock *lock) {
    while (LightLock_TryLock(lock)) host_wait(is_free, lock, -1);
}
void LightLock_Unlock(LightLock *lock) { *lock = 1; }

/* Returns the number of the current thread: its place in the ring. */
static u32 tag(void) {
    u32 n = 1;
    for (Thread t = &first; t != current; t = t->next) n++;
    return n;
}
void RecursiveLock_Init(RecursiveLock *lock) { *lock = (RecursiveLock){.lock = 1}; }
int RecursiveLock_TryLock(RecursiveLock *lock) {
    if (lock->thread_tag != tag()) {
        if (LightLock_TryLock(&lock->lock)) return 1;
        lock->thread_tag = tag();
    }
    lock->counter++;
    return 0;
}
void RecursiveLock_Lock(RecursiveLock *lock) {
    while (RecursiveLock_TryLock(lock)) host_wait(is_free, &lock->lock, -1);
}
void RecursiveLock_Unlock(RecursiveLock *lock) {
    if (--lock->counter == 0) lock->thread_tag = 0, LightLock_Unlock(&lock->lock);
}

/* The waits for all condition variables, oldest first. A CondVar itself stays 0. */
static struct waits {
    CondVar *on;
    bool woken;
    struct waits *next;
} *waiters;
static bool woken(void *w) { return ((struct waits *)w)->woken; }
void CondVar_Init(CondVar *c) { *c = 0; }
static bool woken_in_time(CondVar *c, s64 ns) {
    struct waits w = {c, false, NULL}, **at = &waiters;
    while (*at) at = &(*at)->next;
    *at = &w;
    bool in_time = host_wait(woken, &w, ns);
    for (at = &waiters; *at != &w;) at = &(*at)->next;
    *at = w.next;
    return in_time;
}
int CondVar_WaitTimeout(CondVar *c, LightLock *lock, s64 ns) {
    LightLock_Unlock(lock);
    bool in_time = woken_in_time(c, ns);
    LightLock_Lock(lock);
    return !in_time;
}
void CondVar_Wait(CondVar *c, LightLock *lock) { CondVar_WaitTimeout(c, lock, -1); }
void CondVar_WakeUp(CondVar *c, s32 count) {
    for (struct waits *w = waiters; w && count != 0; w = w->next)
        if (w->on == c && !w->woken) w->woken = true, count--;
}

/* Waits at an address, or wakes those who do. */
Result syncArbitrateAddressWithTimeout(s32 *at, ArbitrationType type, s32 value, s64 ns) {
    if (type == ARBITRATION_SIGNAL) return CondVar_WakeUp(at, value), 0;
    if (*at >= value) return 0;
    if (type == ARBITRATION_DECREMENT_AND_WAIT_IF_LESS_THAN || type == ARBITRATION_DECREMENT_AND_WAIT_IF_LESS_THAN_TIMEOUT) --*at;
    return woken_in_time(at, ns) ? 0 : 0x09401BFE; /* timed out */
}
Result syncArbitrateAddress(s32 *at, ArbitrationType type, s32 value) { return syncArbitrateAddressWithTimeout(at, type, value, -1); }
Result svcArbitrateAddress(Handle arbiter, u32 at, ArbitrationType type, s32 value, s64 ns) {
    (void)arbiter;
    return syncArbitrateAddressWithTimeout(host_pointer(at), type, value, type < ARBITRATION_WAIT_IF_LESS_THAN_TIMEOUT ? -1 : ns);
}

/* States of an event: -2 cleared sticky, -1 cleared, 0 signalled, 1 signalled sticky. */
static bool signalled(void *e) { return ((LightEvent *)e)->state >= 0; }
void LightEvent_Init(LightEvent *e, ResetType type) { e->lock = 1, e->state = type == RESET_STICKY ? -2 : -1; }
void LightEvent_Clear(LightEvent *e) {
    if (e->state >= 0) e->state = e->state == 1 ? -2 : -1;
}
void LightEvent_Signal(LightEvent *e) {
    if (e->state < 0) e->state = e->state == -2 ? 1 : 0;
}
void LightEvent_Pulse(LightEvent *e) { LightEvent_Signal(e), host_wait(never, NULL, 0), LightEvent_Clear(e); }
int LightEvent_TryWait(LightEvent *e) {
    if (e->state == 0) return e->state = -1, 1;
    return e->state == 1;
}
void LightEvent_Wait(LightEvent *e) {
    while (!LightEvent_TryWait(e)) host_wait(signalled, e, -1);
}
int LightEvent_WaitTimeout(LightEvent *e, s64 ns) { return !(host_wait(signalled, e, ns) && LightEvent_TryWait(e)); }

struct taking { LightSemaphore *s; s32 count; };
static bool enough(void *t) { return ((struct taking *)t)->s->current_count >= ((struct taking *)t)->count; }
void LightSemaphore_Init(LightSemaphore *s, s16 count, s16 most) { *s = (LightSemaphore){count, 0, most}; }
int LightSemaphore_TryAcquire(LightSemaphore *s, s32 count) {
    return s->current_count >= count ? (s->current_count -= count, 0) : 1;
}
void LightSemaphore_Acquire(LightSemaphore *s, s32 count) {
    struct taking t = {s, count};
    while (LightSemaphore_TryAcquire(s, count)) host_wait(enough, &t, -1);
}
void LightSemaphore_Release(LightSemaphore *s, s32 count) {
    s->current_count = s->current_count + count > s->max_count ? s->max_count : s->current_count + count;
}

/* Every run starts at 1 January 2000, also for the C library (host.mk wraps its calls). */
static u64 milliseconds(void) { return svcGetSystemTick() / (SYSCLOCK_ARM11 / 1000); }
u64 osGetTime(void) { return 3155673600000u + milliseconds(); }
double osTickCounterRead(const TickCounter *c) { return (double)c->elapsed / CPU_TICKS_PER_MSEC; }

int __wrap_clock_gettime(clockid_t id, struct timespec *t) {
    u64 ns = (u64)((double)svcGetSystemTick() * 1e9 / SYSCLOCK_ARM11);
    t->tv_sec = (time_t)((id == CLOCK_REALTIME ? 946684800 : 0) + ns / 1000000000), t->tv_nsec = (long)(ns % 1000000000);
    return 0;
}
int __wrap_gettimeofday(struct timeval *t, void *zone) {
    struct timespec s;
    (void)zone;
    __wrap_clock_gettime(CLOCK_REALTIME, &s);
    t->tv_sec = s.tv_sec, t->tv_usec = s.tv_nsec / 1000;
    return 0;
}
time_t __wrap_time(time_t *t) {
    time_t now = (time_t)(946684800 + milliseconds() / 1000);
    return t ? *t = now : now;
}
clock_t __wrap_clock(void) { return (clock_t)(milliseconds() * (CLOCKS_PER_SEC / 1000)); }
int __wrap_usleep(useconds_t us) { return svcSleepThread((s64)us * 1000), 0; }
unsigned __wrap_sleep(unsigned s) { return svcSleepThread((s64)s * 1000000000), 0; }
int __wrap_nanosleep(const struct timespec *t, struct timespec *left) {
    (void)left;
    return svcSleepThread((s64)t->tv_sec * 1000000000 + t->tv_nsec), 0;
}
