/** A question that a pending call awaits while the user answers it in a dialog. */
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
