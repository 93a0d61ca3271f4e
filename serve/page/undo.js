// Undo and redo.

const MOST = 200; // steps
const PAUSE = 1000; // ms; sooner changes belong to the same step

export class Undo {
  constructor(changed) {
    this.changed = changed; // called when undo becomes possible or impossible
    this.past = [];
    this.future = [];
    this.now = null; // the current state
    this.when = 0;
  }

  // take records a state. more merges it with the previous one, if that is recent.
  take(state, more = false) {
    const now = performance.now();
    if (this.now !== null && !(more && now - this.when < PAUSE && this.past.length)) this.past.push(this.now);
    if (this.past.length > MOST) this.past.shift();
    this.now = state;
    this.when = more ? now : 0;
    this.future = [];
    this.changed?.();
  }

  // back returns the previous state, null for none; forth the undone one.
  back() { return this.move(this.past, this.future); }
  forth() { return this.move(this.future, this.past); }

  move(from, to) {
    if (!from.length) return null;
    to.push(this.now);
    this.now = from.pop();
    this.when = 0;
    this.changed?.();
    return this.now;
  }
}
