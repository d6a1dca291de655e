import { Icon } from "../ui/Icon.tsx"
import { arrivalText, isCodeWanted, refusalText } from "./Words.ts"

/** Why an account form was refused; nothing where it was not. */
export const Refused = ({ error }: { readonly error: Error | null }) =>
  error === null || isCodeWanted(error) ? null : (
    <p className="form-error" role="alert">
      <Icon name="warning" />
      {refusalText(error)}
    </p>
  )

/** Why a sign-in through the provider led back here; nothing where none did. */
export const RefusedArrival = ({ search }: { readonly search: string }) => {
  const text = arrivalText(search)
  return text === null ? null : (
    <p className="form-error" role="alert">
      <Icon name="warning" />
      {text}
    </p>
  )
}
