/** How a command says what stopping it means. */
export { ifStopped } from "../../ports/operations/MeaningOfStop.ts"
