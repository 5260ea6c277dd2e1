/** Something that takes time to open: its promise, and itself once it is there. A failure is forgotten. */
export class Opening<T extends { close(): void }> {
  promise: Promise<T> | null = null;
  value: T | null = null;

  start(promise: Promise<T>): Promise<T> {
    this.promise = promise;
    promise
      .then((value) => {
        if (this.promise === promise) this.value = value;
      })
      .catch(() => {
        if (this.promise === promise) this.promise = null;
      });
    return promise;
  }

  /** Closes it, if need be when it has come. */
  drop(): void {
    void this.promise?.then((value) => value.close()).catch(() => undefined);
    this.promise = this.value = null;
  }
}
