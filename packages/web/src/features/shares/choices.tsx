/** A group of radio buttons. */
export interface ChoicesProps<Value extends string> {
  readonly legend: string;
  readonly name: string;
  readonly choices: Readonly<Record<Value, string>>;
  /** Null if none is selected. */
  readonly chosen: Value | null;
  readonly onChoose: (value: Value) => void;
}

export function Choices<Value extends string>({
  legend,
  name,
  choices,
  chosen,
  onChoose,
}: ChoicesProps<Value>) {
  return (
    <fieldset>
      <legend className="pb-1 font-strong">{legend}</legend>
      {(Object.entries(choices) as [Value, string][]).map(([value, words]) => (
        <label key={value} className="flex items-start gap-2 py-1 pointer-coarse:py-3">
          <input
            type="radio"
            name={name}
            value={value}
            checked={chosen === value}
            onChange={() => onChoose(value)}
            className="mt-0.5 size-4 shrink-0 accent-accent"
          />
          <span>{words}</span>
        </label>
      ))}
    </fieldset>
  );
}
