/* applets.c - the system's applets, which a script answers (--keys). Part of pica200, MIT License. */
#include "host.h"

#include <stdio.h>
#include <string.h>

static aptMessageCb message;
static void *message_user;
void aptSetMessageCallback(aptMessageCb call, void *user) { message = call, message_user = user; }

/* Types the next text of the script and confirms it, with the last button; if there is none, leaves with the first one. */
static void keyboard(SwkbdState *k, u16 *text) {
    static const SwkbdResult first[] = {SWKBD_D0_CLICK, SWKBD_D1_CLICK0, SWKBD_D2_CLICK0};
    int buttons = k->num_buttons_m1;
    if (text == NULL || buttons < 0 || buttons > 2) {
        k->result = SWKBD_INVALID_INPUT;
        return;
    }
    k->result = first[buttons], k->text_offset = 0;
    if (k->initial_text_offset < 0) text[0] = 0;
    for (const char *answer; (answer = host_text());) {
        ssize_t n = utf8_to_utf16(text, (const uint8_t *)answer, k->max_text_len);
        if (n < 0 || n > k->max_text_len) host_stop(NULL, "the software keyboard takes %u characters, not \"%s\"", k->max_text_len, answer);
        text[n] = 0;
        k->callback_result = SWKBD_CALLBACK_OK;
        if (message) message(message_user, APPID_SOFTWARE_KEYBOARD, k, sizeof *k);
        if (k->callback_result == SWKBD_CALLBACK_CONTINUE) continue;
        k->result = k->callback_result == SWKBD_CALLBACK_CLOSE ? SWKBD_BANNED_INPUT : first[buttons] + (SwkbdResult)buttons;
        break;
    }
    for (k->text_length = 0; text[k->text_length];) k->text_length++;
}

static void error_screen(errorConf *e) {
    char text[3 * 1900 + 1] = "";
    ssize_t n = utf16_to_utf8((uint8_t *)text, e->Text, sizeof text - 1);
    text[n > 0 && n < (ssize_t)sizeof text ? n : 0] = 0;
    if ((e->type & 0xFF) == ERROR_TEXT) fprintf(stderr, "%s: the error screen says: %s\n", host_option.name, text);
    else fprintf(stderr, "%s: the error screen shows code %d\n", host_option.name, e->errorCode);
    e->returnCode = ERROR_SUCCESS;
}

/* Other applets close at once. */
void aptLaunchLibraryApplet(NS_APPID applet, void *buffer, size_t size, Handle memory) {
    host_hooks(APTHOOK_ONSUSPEND);
    if (applet == APPID_SOFTWARE_KEYBOARD && size >= sizeof(SwkbdState)) keyboard(buffer, host_data(memory, HOST_MEMORY));
    if (applet == APPID_ERROR && size >= sizeof(errorConf)) error_screen(buffer);
    if (applet == APPID_APPLETED && size >= sizeof(MiiSelectorReturn)) {
        memset(buffer, 0, sizeof(MiiSelectorReturn));
        ((MiiSelectorReturn *)buffer)->no_mii_selected = 1;
    }
    host_hooks(APTHOOK_ONRESTORE);
}
