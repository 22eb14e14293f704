// What this browser can do with a picture besides saving it.

/** Whether the browser's clipboard takes pictures. */
export function canCopyPicture(): boolean {
  const { clipboard } = navigator as { clipboard?: Partial<Clipboard> };
  if (typeof ClipboardItem !== 'function' || !clipboard?.write) return false;
  const { supports } = ClipboardItem as { supports?: (type: string) => boolean };
  return supports?.('image/png') ?? true;
}

/** Whether the system's share sheet takes this file. */
export function canShareFile(file: File): boolean {
  const system = navigator as { canShare?: (data: ShareData) => boolean };
  return system.canShare?.({ files: [file] }) ?? false;
}
