/** A question that a call waits for, while a person answers it in a dialog over the page. */
export interface Question {
  readonly answer: Promise<boolean>;
  readonly settle: (answer: boolean) => void;
}

export function askNow(): Question {
  let settle: Question['settle'] = () => undefined;
  const answer = new Promise<boolean>((resolve) => {
    settle = resolve;
  });
  return { answer, settle };
}
