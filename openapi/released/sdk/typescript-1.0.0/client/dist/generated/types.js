// Generated from the contract by tools/generate.mjs. Do not edit.
export {};
