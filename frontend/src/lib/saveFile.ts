/** Downloads a file from memory. */
export function saveFile(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
  // Some browsers read the file shortly after the click, so the URL is revoked later.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/** Downloads a file from a URL of the server without leaving the page. */
export function saveAddress(address: string): void {
  const link = document.createElement('a');
  link.href = address;
  link.download = '';
  document.body.append(link);
  link.click();
  link.remove();
}
