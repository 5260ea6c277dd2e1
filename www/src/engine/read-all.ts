/** A response's body, piece by piece. */

/** Tells of each piece how many bytes there are now, and of how many if that is known. */
export async function readAll(response: Response, progress: (done: number, total: number | null) => void): Promise<Uint8Array<ArrayBuffer>> {
  // With compression the length on the wire says nothing about the bytes that arrive here.
  const length = response.headers.get("content-encoding") ? null : Number(response.headers.get("content-length"));
  const total = length || null;
  if (!response.body) return new Uint8Array(await response.arrayBuffer());
  const reader = response.body.getReader();
  const pieces: Uint8Array[] = [];
  let done = 0;
  for (;;) {
    const piece = await reader.read();
    if (piece.done) break;
    pieces.push(piece.value);
    done += piece.value.length;
    progress(done, total);
  }
  const bytes = new Uint8Array(done);
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return bytes;
}
