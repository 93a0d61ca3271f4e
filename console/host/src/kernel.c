/* kernel.c - the kernel's objects behind handles, and waits for them. Part of pica200, MIT License. */
#include "host.h"

#include <stdlib.h>

enum { TIMED_OUT = 0x09401BFE, BAD_HANDLE = (int)0xD8E007F7, NOT_THE_OWNER = (int)0xD8E0041F, TOO_MANY = (int)0xD8E007FD };
static const uint64_t NEVER = UINT64_MAX;

typedef struct object {
    enum host_kind kind;
    int handles;             /* that name it */
    bool sticky;             /* of an event or a timer: stays signalled */
    int count, most;         /* event, thread: 1 when signalled; mutex: how often it is locked; semaphore */
    Thread owner;            /* of a mutex */
    uint64_t due, interval;  /* of a timer, in ticks */
    void *data;              /* of a file, a folder, a thread or memory */
    void (*close)(void *);
} object;

static object **objects; /* by the number of their handles */
static Handle object_count;

static object *named(Handle handle) {
    if (handle == CUR_THREAD_HANDLE) handle = host_thread_handle();
    return handle - 1 < object_count ? objects[handle - 1] : NULL;
}

static object *of_kind(Handle handle, enum host_kind kind) {
    object *o = named(handle);
    return o && o->kind == kind ? o : NULL;
}

static Handle name(object *o) {
    Handle at = 0;
    while (at < object_count && objects[at]) at++;
    if (at == object_count) {
        objects = realloc(objects, (at + 1) * sizeof *objects);
        if (objects == NULL) host_stop(NULL, "no memory for %u handles", at + 1);
        object_count++;
    }
    o->handles++;
    objects[at] = o;
    return at + 1;
}

static Handle make(object new) {
    object *o = malloc(sizeof *o);
    if (o == NULL) host_stop(NULL, "no memory for a handle");
    *o = new;
    return name(o);
}

Handle host_handle(enum host_kind kind, void *data, void (*close)(void *)) { return make((object){.kind = kind, .data = data, .close = close}); }

void *host_data(Handle handle, enum host_kind kind) {
    object *o = of_kind(handle, kind);
    return o ? o->data : NULL;
}

Result svcDuplicateHandle(Handle *out, Handle handle) {
    object *o = named(handle);
    return o ? (*out = name(o), 0) : BAD_HANDLE;
}

Result svcCloseHandle(Handle handle) {
    object *o = handle - 1 < object_count ? objects[handle - 1] : NULL;
    if (o == NULL) return BAD_HANDLE;
    objects[handle - 1] = NULL;
    if (--o->handles) return 0;
    if (o->close) o->close(o->data);
    free(o);
    return 0;
}

/* --- Waits ---------------------------------------------------------------------- */

typedef struct {
    object **of;
    int count;
    bool all;
    Thread self;
} wanted;

static bool free_for(const object *o, Thread self) {
    switch (o->kind) {
    case HOST_MUTEX: return o->owner == NULL || o->owner == self;
    case HOST_TIMER: return o->due <= host_clock() || o->count;
    default: return o->count > 0;
    }
}

/* Returns the first object that is free if one will do, the last if all are, and else -1. */
static int first_free(const wanted *w) {
    for (int i = 0; i < w->count; i++)
        if (free_for(w->of[i], w->self) != w->all) return w->all ? -1 : i;
    return w->all ? w->count - 1 : -1;
}

static bool is_free(void *w) { return first_free(w) >= 0; }

static void take(object *o, Thread self) {
    switch (o->kind) {
    case HOST_MUTEX: o->owner = self, o->count++; break;
    case HOST_SEMAPHORE: o->count--; break;
    case HOST_TIMER:
        if (o->due <= host_clock()) o->due = o->interval ? o->due + o->interval : NEVER;
        o->count = o->sticky;
        break;
    default: o->count = o->sticky; /* events; threads are sticky */
    }
}

static Result wait_for(s32 *out, wanted *w, s64 ns) {
    uint64_t until = ns < 0 ? NEVER : host_clock() + (uint64_t)((double)ns * SYSCLOCK_ARM11 / 1e9);
    w->self = host_thread();
    for (bool waited = false;; waited = true) {
        int at = first_free(w);
        if (at >= 0) {
            for (int i = 0; i < w->count; i++)
                if (w->all || i == at) take(w->of[i], w->self);
            if (out) *out = at;
            return 0;
        }
        if (waited && host_clock() >= until) return TIMED_OUT;
        if (ns == 0) svcGetSystemTick(); /* so that time passes for who only asks */
        uint64_t soon = until;
        for (int i = 0; i < w->count; i++)
            if (w->of[i]->kind == HOST_TIMER && w->of[i]->due < soon) soon = w->of[i]->due;
        host_wait_until(is_free, w, soon);
    }
}

Result svcWaitSynchronizationN(s32 *out, const Handle *handles, s32 count, bool all, s64 ns) {
    object *of[64];
    if (count < 0 || count > 64) return BAD_HANDLE;
    for (int i = 0; i < count; i++) {
        of[i] = named(handles[i]);
        if (of[i] == NULL || of[i]->kind > HOST_LAST_TO_WAIT_FOR) return BAD_HANDLE;
    }
    return wait_for(out, &(wanted){of, count, all, NULL}, ns);
}
Result svcWaitSynchronization(Handle handle, s64 ns) { return svcWaitSynchronizationN(NULL, &handle, 1, false, ns); }

/* --- Objects ---------------------------------------------------------------------- */

Result svcCreateMutex(Handle *out, bool locked) {
    return *out = make((object){.kind = HOST_MUTEX, .count = locked, .owner = locked ? host_thread() : NULL}), 0;
}
Result svcReleaseMutex(Handle handle) {
    object *o = of_kind(handle, HOST_MUTEX);
    if (o == NULL) return BAD_HANDLE;
    if (o->owner != host_thread()) return NOT_THE_OWNER;
    if (--o->count == 0) o->owner = NULL;
    return 0;
}

Result svcCreateSemaphore(Handle *out, s32 count, s32 most) { return *out = make((object){.kind = HOST_SEMAPHORE, .count = count, .most = most}), 0; }
Result svcReleaseSemaphore(s32 *before, Handle handle, s32 count) {
    object *o = of_kind(handle, HOST_SEMAPHORE);
    if (o == NULL) return BAD_HANDLE;
    if (count < 0 || count > o->most - o->count) return TOO_MANY;
    *before = o->count;
    return o->count += count, 0;
}

Result svcCreateEvent(Handle *out, ResetType type) { return *out = make((object){.kind = HOST_EVENT, .sticky = type == RESET_STICKY}), 0; }
static Result set_event(Handle handle, int to) {
    object *o = of_kind(handle, HOST_EVENT);
    return o ? (o->count = to, 0) : BAD_HANDLE;
}
Result svcSignalEvent(Handle handle) { return set_event(handle, 1); }
Result svcClearEvent(Handle handle) { return set_event(handle, 0); }

Result svcCreateTimer(Handle *out, ResetType type) {
    return *out = make((object){.kind = HOST_TIMER, .sticky = type == RESET_STICKY, .due = NEVER}), 0;
}
static uint64_t ticks_of(s64 ns) { return (uint64_t)((double)ns * SYSCLOCK_ARM11 / 1e9); }
static Result set_timer(Handle handle, uint64_t due, uint64_t interval, bool clear) {
    object *o = of_kind(handle, HOST_TIMER);
    if (o == NULL) return BAD_HANDLE;
    if (clear) o->count = 0;
    else o->due = due, o->interval = interval;
    return 0;
}
Result svcSetTimer(Handle handle, s64 first, s64 interval) { return set_timer(handle, host_clock() + ticks_of(first), ticks_of(interval), false); }
Result svcCancelTimer(Handle handle) { return set_timer(handle, NEVER, 0, false); }
Result svcClearTimer(Handle handle) { return set_timer(handle, 0, 0, true); }

Handle host_thread_begins(Thread thread) { return make((object){.kind = HOST_THREAD, .sticky = true, .data = thread}); }
void host_thread_ends(Handle handle, Thread thread) {
    for (Handle i = 0; i < object_count; i++)
        if (objects[i] && objects[i]->kind == HOST_MUTEX && objects[i]->owner == thread) objects[i]->owner = NULL, objects[i]->count = 0;
    objects[handle - 1]->count = 1;
    svcCloseHandle(handle);
}

Result svcCreateMemoryBlock(Handle *out, u32 address, u32 size, MemPerm mine, MemPerm others) {
    (void)size, (void)mine, (void)others;
    return *out = host_handle(HOST_MEMORY, host_pointer(address), NULL), 0;
}
Result svcCreateAddressArbiter(Handle *out) { return *out = host_handle(HOST_ARBITER, NULL, NULL), 0; }
