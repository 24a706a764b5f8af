module github.com/cardvault/cardvault/gen/client/go

go 1.25.0
