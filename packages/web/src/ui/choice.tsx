/** A labelled list of values to choose one from, such as the order of a list. */
export interface ChoiceProps<Value extends string> {
  readonly label: string;
  readonly value: Value;
  readonly options: readonly (readonly [value: Value, label: string])[];
  readonly onChoose: (value: Value) => void;
}

export function Choice<Value extends string>({ label, value, options, onChoose }: ChoiceProps<Value>) {
  return (
    <label className="flex shrink-0 items-center gap-2 whitespace-nowrap text-quiet print:hidden">
      {label}
      <select
        value={value}
        onChange={(event) => {
          const chosen = options.find(([each]) => each === event.currentTarget.value);
          if (chosen) onChoose(chosen[0]);
        }}
        className="min-h-8 rounded border border-edge bg-field px-2 text-text pointer-coarse:min-h-11"
      >
        {options.map(([each, name]) => (
          <option key={each} value={each}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}
