DROP TABLE deliveries, kindle_addresses;
