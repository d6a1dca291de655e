import { afterAll } from "vitest"
import { endAll } from "./Ends.ts"

afterAll(endAll)
