/** A few values of which one is chosen, all visible: one click chooses. */
import { useFormState } from './form.tsx';

export interface RadioChipsProps<Value extends string> {
  readonly label: string;
  /** The name of the field in the form and in API errors. */
  readonly name: string;
  readonly value: Value;
  readonly options: readonly {
    readonly value: Value;
    readonly label: string;
    readonly isDisabled?: boolean;
  }[];
  readonly onChoose: (value: Value) => void;
}

export function RadioChips<Value extends string>({
  label,
  name,
  value: chosen,
  options,
  onChoose,
}: RadioChipsProps<Value>) {
  const error = useFormState().issues[name];
  return (
    <fieldset>
      <legend className="pb-1 font-strong">{label}</legend>
      <div className="flex flex-wrap gap-2">
        {options.map(({ value, label: text, isDisabled }) => (
          <label
            key={value}
            className="flex min-h-9 pointer-coarse:min-h-11 items-center gap-2 rounded border border-edge px-3 has-checked:border-accent has-checked:bg-hover has-disabled:opacity-50"
          >
            <input
              type="radio"
              name={name}
              value={value}
              checked={chosen === value}
              disabled={isDisabled}
              onChange={() => onChoose(value)}
              className="size-4 shrink-0 accent-accent"
            />
            {text}
          </label>
        ))}
      </div>
      {error ? <p className="pt-1 text-small text-danger-text">{error}</p> : null}
    </fieldset>
  );
}
