import type { Value } from "../analytics/markers/Event.ts"

/** Values by names that strangers choose. It inherits nothing, so `constructor` and `__proto__` are ordinary names. */
export class Bag {
  [name: string]: Value
}
Object.setPrototypeOf(Bag.prototype, null)
Reflect.deleteProperty(Bag.prototype, "constructor")
