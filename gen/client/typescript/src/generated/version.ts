// Generated from the contract by tools/generate.mjs. Do not edit.

/** The version of the contract and of this package. */
export const version = '1.0.0'
