const KIB = 2 ** 10;
const MIB = 2 ** 20;

/** `4 KiB`, `12 MiB`, `12.3 MiB`. */
export function sizeInWords(sizeBytes: number): string {
  if (sizeBytes < MIB) return `${Math.ceil(sizeBytes / KIB)} KiB`;
  return `${(sizeBytes / MIB).toFixed(1).replace(/\.0$/, '')} MiB`;
}
