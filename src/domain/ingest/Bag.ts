import type { Value } from "../analytics/markers/Event.ts"

/** Values by names that strangers chose: nothing is inherited, so `constructor` and `__proto__` are names like any other. */
export class Bag {
  [name: string]: Value
}
Object.setPrototypeOf(Bag.prototype, null)
Reflect.deleteProperty(Bag.prototype, "constructor")
