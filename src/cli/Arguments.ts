/** The arguments with `-`, which stands for standard input, last: the parser takes it for an option that it does not know. */
export const standardInputLast = (argv: ReadonlyArray<string>): ReadonlyArray<string> => [
  ...argv.filter((each) => each !== "-"),
  ...argv.filter((each) => each === "-")
]
