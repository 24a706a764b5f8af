"""How a program of release 1.0.0 used the named values of marketplaces and channels."""

from cardvault.models import Listing, Marketplace, PublishInput, Sale, SaleChannel, SellInput

NAMES: dict[SaleChannel, str] = {
    SaleChannel.EBAY: "eBay",
    SaleChannel.SANDBOX: "sandbox",
    SaleChannel.OWN_STORE: "shop",
    SaleChannel.IN_PERSON: "fair",
    SaleChannel.OTHER: "other",
}


def label(listing: Listing, sale: Sale) -> str:
    market: Marketplace = Marketplace.SANDBOX
    publish = PublishInput(marketplace=Marketplace.EBAY)
    if listing.marketplace == market or publish.marketplace == "ebay":
        return listing.marketplace.value
    if sale.channel is SaleChannel.IN_PERSON:
        return NAMES[sale.channel]
    return str(sale.channel.value)


def sell(price: "SellInput") -> SaleChannel:
    return price.channel
