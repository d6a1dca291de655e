import { refusalWords } from "./useExperimentWrites.ts"

/** Why a write was refused; nothing while none was. */
export const Refusal = ({ error }: { readonly error: Error | null }) => (
  <p className="form-error" role="alert">
    {error === null ? "" : refusalWords(error)}
  </p>
)
