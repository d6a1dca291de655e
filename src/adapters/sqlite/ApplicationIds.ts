/** "GKMD" and "GKEV": SQLite's `application_id` of the two files, by which they are told from each other and from strangers. */
export const metadataApplicationId = 0x474b4d44
export const eventsApplicationId = 0x474b4556
