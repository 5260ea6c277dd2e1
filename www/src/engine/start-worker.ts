/** Starting a module worker, wherever its script is. */

export interface StartedWorker {
  worker: Worker;
  /** Ends it, at once. */
  end(): void;
}

/** Throws what the browser throws where the page's policy forbids it. */
export function startWorker(url: string, name: string): StartedWorker {
  // A worker must come from the page's own origin; a small one of our own imports the other.
  const foreign = new URL(url).origin !== location.origin;
  const blob = foreign ? URL.createObjectURL(new Blob([`import ${JSON.stringify(url)};`], { type: "text/javascript" })) : null;
  const worker = new Worker(blob ?? url, { type: "module", name });
  return {
    worker,
    end() {
      worker.terminate();
      if (blob) URL.revokeObjectURL(blob);
    },
  };
}
