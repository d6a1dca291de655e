import { ApiFailure } from "../api/Failure.ts"
import { Failed } from "../ui/States.tsx"
import { AwaitedPage, InsteadOfPage, type UnansweredProps } from "./InsteadOfPage.tsx"

interface FailedProps {
  readonly error: Error
  readonly retry: () => void
}

/** A page that could not be loaded. What is no id is refused, and not looked for: no other try finds it. */
export const FailedPage = ({ error, retry }: FailedProps) => {
  const isNoId = error instanceof ApiFailure && error.statusCode === 400
  const told = isNoId ? new ApiFailure(404, error.code, "Part of the address may be missing") : error
  return (
    <InsteadOfPage>
      <Failed error={told} retry={retry} />
    </InsteadOfPage>
  )
}

/** A page of which nothing can be shown without an answer, while there is none. */
export const UnansweredPage = ({ error, retry }: UnansweredProps) =>
  error === null ? <AwaitedPage /> : <FailedPage error={error} retry={retry} />
