package wire

// Paths of OAuth: the endpoint that issues tokens, and the page where a seller consents.
const (
	TokenPath   = "/identity/v1/oauth2/token"
	ConsentPath = "/oauth2/authorize"
)

// The values of grant_type.
const (
	GrantCode        = "authorization_code"
	GrantRefresh     = "refresh_token"
	GrantApplication = "client_credentials"
)

// The scopes of tokens. A token of an application (GrantApplication) has ScopeBase.
const (
	ScopeBase        = "https://api.ebay.com/oauth/api_scope"
	ScopeInventory   = ScopeBase + "/sell.inventory"
	ScopeAccount     = ScopeBase + "/sell.account"
	ScopeFulfillment = ScopeBase + "/sell.fulfillment"
	ScopeFinances    = ScopeBase + "/sell.finances"
	ScopeSubscribe   = ScopeBase + "/commerce.notification.subscription"
	ReadOnly         = ".readonly" // suffix of the scopes that allow reading only
)

// Token is the response of the token endpoint. A refresh does not return another refresh token.
type Token struct {
	AccessToken           string `json:"access_token"`
	ExpiresIn             int    `json:"expires_in"` // seconds; about two hours
	RefreshToken          string `json:"refresh_token,omitempty"`
	RefreshTokenExpiresIn int    `json:"refresh_token_expires_in,omitempty"` // seconds; about 18 months
	TokenType             string `json:"token_type"`
}

// TokenError is the error response of the token endpoint.
type TokenError struct {
	Code        string `json:"error"`
	Description string `json:"error_description"`
}

// Values of TokenError.Code. InvalidGrant means that the seller must consent again.
const (
	InvalidGrant         = "invalid_grant"
	InvalidClient        = "invalid_client"
	InvalidRequest       = "invalid_request"
	InvalidScope         = "invalid_scope"
	UnsupportedGrantType = "unsupported_grant_type"
)
