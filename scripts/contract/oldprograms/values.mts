// How a program of release 1.0.0 used the named values of marketplaces and channels.
import type { Listing, Marketplace, PublishInput, Sale, SaleChannel } from '@cardvault/client'

const markets: Marketplace[] = ['ebay', 'sandbox']
const input: PublishInput = { marketplace: 'ebay' }
const names: Partial<Record<SaleChannel, string>> = {
  ebay: 'eBay',
  sandbox: 'sandbox',
  own_store: 'shop',
  in_person: 'fair',
  other: 'other',
}

export function label(listing: Listing, sale: Sale): string {
  if (listing.marketplace === 'sandbox' || markets.includes(listing.marketplace)) return listing.marketplace
  switch (sale.channel) {
    case 'in_person':
    case 'other':
      return names[sale.channel] ?? input.marketplace ?? ''
    default:
      return sale.channel
  }
}
