module requests

go 1.25.0

require github.com/cardvault/cardvault/gen/client/go v1.0.0

replace github.com/cardvault/cardvault/gen/client/go => ../../../gen/client/go
