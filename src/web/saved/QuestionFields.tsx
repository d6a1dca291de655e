interface Props {
  readonly name: string
  readonly description: string | null
}

/** What a saved question is called and about. */
export const QuestionFields = ({ name, description }: Props) => (
  <>
    <label className="field">
      Name
      <input name="name" required maxLength={100} defaultValue={name} />
    </label>
    <label className="field">
      Description
      <input name="description" maxLength={255} defaultValue={description ?? ""} />
    </label>
  </>
)

/** What was typed into them. */
export const questionFieldsOf = (form: FormData) => ({
  name: String(form.get("name")).trim(),
  description: String(form.get("description")).trim() || null
})
