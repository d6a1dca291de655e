import { Icon } from "../ui/Icon.tsx"
import { isCodeWanted, refusalText } from "./Words.ts"

/** Why an account form was refused; nothing where it was not. */
export const Refused = ({ error }: { readonly error: Error | null }) =>
  error === null || isCodeWanted(error) ? null : (
    <p className="form-error" role="alert">
      <Icon name="warning" />
      {refusalText(error)}
    </p>
  )
