/* text.c - what only the console's C library has for text. Part of pica200, MIT License. */
#include <ctype.h>
#include <string.h>

__attribute__((weak)) char *utoa(unsigned value, char *to, int base) {
    char digits[33], *end = to;
    int n = 0;
    if (base < 2 || base > 36) return *to = 0, (char *)0;
    do digits[n++] = "0123456789abcdefghijklmnopqrstuvwxyz"[value % (unsigned)base];
    while (value /= (unsigned)base);
    while (n) *end++ = digits[--n];
    return *end = 0, to;
}
__attribute__((weak)) char *itoa(int value, char *to, int base) {
    if (base != 10 || value >= 0) return utoa((unsigned)value, to, base);
    *to = '-';
    return utoa(0u - (unsigned)value, to + 1, base), to;
}
static char *each(char *text, int (*change)(int)) {
    for (char *c = text; *c; c++) *c = (char)change((unsigned char)*c);
    return text;
}
__attribute__((weak)) char *strlwr(char *text) { return each(text, tolower); }
__attribute__((weak)) char *strupr(char *text) { return each(text, toupper); }
__attribute__((weak)) char *strnstr(const char *text, const char *part, size_t room) {
    size_t n = strlen(part);
    for (; room >= n; text++, room--) {
        if (strncmp(text, part, n) == 0) return (char *)text;
        if (*text == 0) break;
    }
    return NULL;
}
