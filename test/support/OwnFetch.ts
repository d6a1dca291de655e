// Node's fetch sends by whatever dispatcher was registered first in the process. `undici`, which a package of the platform loads, registers
// one that refuses headers which Node's own takes; whether it came first depended on the files that a worker had run before.
await fetch("data:,")
