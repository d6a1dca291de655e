/** What a message about a failed cohort is that nobody has tried to send. */
export const waitingDelivery = {
  type: "cohort.failed",
  objectKey: "cohort:1",
  payload: "{}",
  state: "waiting",
  attempts: [],
  tries: 0,
  nextAt: 0,
  createdAt: 0
} as const
