/** Work that is done in the order in which it came, whatever became of the work before. */
export class Queue {
  #last: Promise<unknown> = Promise.resolve();

  add<T>(work: () => T | Promise<T>): Promise<T> {
    const next = this.#last.then(work);
    this.#last = next.catch(() => undefined);
    return next;
  }
}
