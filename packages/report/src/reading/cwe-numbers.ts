const CWE = /\bcwe[-/ ]?0{0,5}([1-9]\d{0,4})\b/gi;

/** The CWE numbers in a text: `CWE-79`, `external/cwe/cwe-079`. */
export function cwesIn(given: string): number[] {
  return Array.from(given.matchAll(CWE), ([, number]) => Number(number));
}
