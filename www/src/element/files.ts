/** Gives a text to the person as a file. */
export function save(text: string, name: string, type: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = name;
  link.click();
  // Browsers read the address at their leisure.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
