/** The listeners of this process by topic; used by each kind of bus. */
import type { Listener } from './bus.ts';

export class Listeners {
  readonly #byTopic = new Map<string, Set<Listener>>();

  add(topic: string, listener: Listener): () => void {
    let ofTopic = this.#byTopic.get(topic);
    if (!ofTopic) this.#byTopic.set(topic, (ofTopic = new Set()));
    // Wrapped, so that one function may listen twice, and each subscription ends separately.
    const own: Listener = () => listener();
    ofTopic.add(own);
    return () => {
      const present = this.#byTopic.get(topic);
      if (present?.delete(own) && present.size === 0) this.#byTopic.delete(topic);
    };
  }

  call(topic: string): void {
    for (const listener of this.#byTopic.get(topic) ?? []) listener();
  }

  callAll(): void {
    for (const topic of this.#byTopic.keys()) this.call(topic);
  }

  clear(): void {
    this.#byTopic.clear();
  }
}
