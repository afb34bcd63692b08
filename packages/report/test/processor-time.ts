/** The processor time of the work in milliseconds, which other programs do not affect. */
export function processorMs(work: () => void): number {
  const began = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(began);
  return (user + system) / 1000;
}
