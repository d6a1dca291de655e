// Loaded before the server by tests that start it: its hashes of passwords cost next to nothing, where real ones take a quarter of a second of
// processor time each. What is hashed and compared, and by which code, stays the same.
import crypto from "node:crypto"
import { syncBuiltinESMExports } from "node:module"

const { scrypt } = crypto

crypto.scrypt = (password, salt, length, options, done) =>
  scrypt(password, salt, length, { ...options, N: 2, r: 1, p: 1 }, done)

syncBuiltinESMExports()
