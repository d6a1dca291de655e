/** The text whose SHA-256 (base64url) stands for an erased unit, so that the unit is known again without its id being kept. */
export const erasureText = (environmentId: number, unitId: string): string => `erased\n${environmentId}\n${unitId}`
