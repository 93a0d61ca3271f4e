// What was done, to be taken back and done again.

const MOST = 200; // steps
const PAUSE = 1000; // ms; what follows sooner is one step

export class Undo {
  constructor(changed) {
    this.changed = changed; // told when what can be taken back changes
    this.past = [];
    this.future = [];
    this.now = null; // the state as it is
    this.when = 0;
  }

  // take notes a state. more says that it goes on with the step before, if that was just now.
  take(state, more = false) {
    const now = performance.now();
    if (this.now !== null && !(more && now - this.when < PAUSE && this.past.length)) this.past.push(this.now);
    if (this.past.length > MOST) this.past.shift();
    this.now = state;
    this.when = more ? now : 0;
    this.future = [];
    this.changed?.();
  }

  // back gives the state before, null for none; forth the one that was taken back.
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
