/** Modules that the build provides. */
declare module 'virtual:tokens.css';
declare module '*.css';
declare module '*.svg?no-inline' {
  const address: string;
  export default address;
}
declare module '*.ts?worker&url' {
  const address: string;
  export default address;
}

declare module 'virtual:compiled-checks' {
  import type { CheckMaker } from '@svc/contract/compiled-checks';
  export const finding: CheckMaker;
  export const report: CheckMaker;
}
