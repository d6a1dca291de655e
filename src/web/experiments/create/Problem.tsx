/** What is not right yet, at its field; nothing while all is. */
export const Problem = ({ text, id }: { readonly text: string | null; readonly id?: string }) => (
  <p className="form-error" role="status" id={id}>
    {text}
  </p>
)
