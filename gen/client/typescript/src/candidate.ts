import type { CatalogCard, IdentificationPatch, IdentificationResult } from './generated/types.js'

/**
 * Returns the change that identifies a card as the candidate, or as the card of the catalogue. If the candidate is in
 * the catalogue, the patch has only its `catalog_id`: the service takes the other fields from the catalogue. Otherwise
 * the patch sets the fields that the candidate has and clears the others. Condition and grade stay unchanged.
 */
export function patchFromCandidate(candidate: IdentificationResult | CatalogCard): IdentificationPatch {
  const catalog_id = 'id' in candidate ? candidate.id : candidate.catalog_id
  if (catalog_id !== null) return { catalog_id }
  const { title, set, number, game, year, language, variant } = candidate
  return { catalog_id, title, set, number, game, year, language, variant }
}
