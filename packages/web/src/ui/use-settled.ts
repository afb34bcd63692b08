/** The value once it has not changed for some time, so that typing does not send a call for each keystroke. */
import { useEffect, useState } from 'react';

/** @param value compared by its JSON. */
export function useSettled<Value>(value: Value, afterMs: number): Value {
  const [settled, setSettled] = useState(value);
  const text = JSON.stringify(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(JSON.parse(text) as Value), afterMs);
    return () => clearTimeout(timer);
  }, [text, afterMs]);
  return settled;
}
