/* Numbers through the functions for hosts that keep floats, from standard input to
 * standard output, each of 32 bits: a letter, how many, the floats.
 *
 *   f  float24 of each    l, t  lighting tables of 256, one-sided and two-sided    g  fog tables of 128
 */
#define PICA200_RECORD_IMPLEMENTATION
#include "pica200_record.h"

int main(void) {
    uint32_t head[2], words[256], i;
    float values[256];
    while (fread(head, 4, 2, stdin) == 2) {
        uint32_t each = head[0] == 'f' ? 1 : head[0] == 'g' ? 128 : 256;
        for (i = 0; i < head[1]; i += each) {
            if (fread(values, 4, each, stdin) != each) return 3;
            if (head[0] == 'f') words[0] = pica200_float24(values[0]);
            if (head[0] == 'g') pica200_fog_table(words, values);
            if (head[0] == 'l' || head[0] == 't') pica200_lighting_table(words, values, head[0] == 't');
            if (fwrite(words, 4, each, stdout) != each) return 3;
        }
    }
    return 0;
}
